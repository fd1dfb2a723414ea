"""The stages of `./dev test` that look after the viewer's page.

SPDX-License-Identifier: Apache-2.0
"""
import collections
import json
import os
import re
import shutil

import packages
from building import BIN, run_quietly
from sources import ROOT

PAGE = ROOT / "page"
ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


def npx(*command, env=None):
    """Runs a program of page/node_modules: exit status and output, without colours."""
    status, text = run_quietly(["env", "-C", PAGE, "npx", "--no-install", *command],
                               env=os.environ | {"NO_COLOR": "1"} | (env or {}))
    return status, ESCAPES.sub("", text)


def lacks():
    """Why the page cannot be tested here, or an empty text."""
    if not shutil.which("npx"):
        return "page: npm is not installed"
    if not (PAGE / "node_modules/.lock-sha256").exists():
        return "page: its packages could not be installed"
    return ""


def unit(outcome):
    """Types, lint and unit tests."""
    if why := lacks():
        outcome.reasons = {why: 1}
        return outcome
    for command in (["tsc", "--noEmit"], ["eslint", ".", "--max-warnings", "0"]):
        status, text = npx(*command)
        outcome.passed += not status
        outcome.failed += bool(status)
        outcome.text += text if status else ""
    report = ROOT / "build/page-unit.json"
    report.unlink(missing_ok=True)
    status, text = npx("vitest", "run", "--reporter=json", f"--outputFile={report}")
    if not report.exists():
        outcome.failed, outcome.text = outcome.failed + 1, outcome.text + text
        return outcome
    result = json.loads(report.read_text())
    outcome.passed += result["numPassedTests"]
    outcome.failed += result["numFailedTests"] + (1 if status and not result["numFailedTests"]
                                                  else 0)
    for file in result["testResults"]:
        for test in file["assertionResults"]:
            if test["status"] == "failed":
                message = "\n".join(test["failureMessages"])
                outcome.text += f"--- {test['fullName']}\n{ESCAPES.sub('', message)}\n"
        if file["status"] == "failed" and not file["assertionResults"]:
            outcome.text += f"--- {file['name']}\n{file.get('message', '')}\n"
    return outcome


def cases(suite):
    """Every test of a Playwright report."""
    for spec in suite.get("specs", []):
        for test in spec["tests"]:
            yield spec["title"], test
    for inner in suite.get("suites", []):
        yield from cases(inner)


def browser(outcome):
    """The page in headless Chromium, against the real server."""
    why = lacks()
    if not why and packages.try_install("browser"):
        why = "browser: Chromium could not be installed"
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if not why and not chromium:
        why = "browser: Chromium is not installed"
    if why:
        outcome.reasons = {why: 1}
        return outcome
    report = ROOT / "build/page-browser.json"
    report.unlink(missing_ok=True)
    status, text = npx("playwright", "test", "--reporter=json", env={
        "PLAYWRIGHT_JSON_OUTPUT_NAME": str(report), "SLUICE": str(BIN / "sluice"),
        "CHROMIUM": chromium})
    if not report.exists():
        outcome.failed, outcome.text = 1, text
        return outcome
    result, reasons = json.loads(report.read_text()), collections.Counter()
    for error in result["errors"]:
        outcome.failed += 1
        outcome.text += ESCAPES.sub("", error.get("message", "")) + "\n"
    for title, test in (case for suite in result["suites"] for case in cases(suite)):
        if test["status"] == "skipped":
            reasons[f"browser: {title}"] += 1
        elif test["status"] == "expected":
            outcome.passed += 1
        else:
            outcome.failed += 1
            outcome.text += f"--- {title}\n" + "\n".join(
                ESCAPES.sub("", error.get("message", "")) for run in test["results"]
                for error in run.get("errors", [])) + "\n"
    outcome.reasons = dict(reasons)
    if status and not outcome.failed:
        outcome.failed, outcome.text = 1, text
    return outcome
