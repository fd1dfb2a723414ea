// The page that build.mjs makes: HTML with its script and style in it.
// SPDX-License-Identifier: Apache-2.0
declare module "virtual:page" {
  const page: string;
  export default page;
}
