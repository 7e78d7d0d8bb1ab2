/** In a file of their own, because the bundler writes only the numbers of other files where they are used. */
export const bodyBytesMax = 131_072;
export const triesMax = 5;
/** New tokens besides the first. One because it may expire, one because browsers themselves repeat a request that is cut. */
export const renewalsMax = 2;
export const firstPauseMs = 1_000;
export const timeoutMs = 20_000;
/** So that a token does not expire on its way. */
export const marginMs = 5_000;
/** Browsers limit the bodies of all requests that may outlive their page to 64 KiB together. */
export const keepaliveBytesMax = 60_000;
export const storedMsMax = 86_400_000;
/** Of the names in the browser's storage. */
export const prefix = 'leadgate:';
/** A field that only programs fill in. */
export const honeypotName = '_hp';
