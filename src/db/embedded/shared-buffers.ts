const mebibyte = 1024 ** 2;
const mebibytesMin = 256;
const mebibytesMax = 2048;
const share = 1 / 8;

/**
 * The memory for pages. Every other lead changes pages anywhere in two indexes, and a page that is not in here is copied from the
 * cache of the system: with ten million leads that takes longer than the rest. The memory is taken page by page, when it is
 * first used.
 */
export function sharedBuffers(usableBytes: number): string {
  const mebibytes = Math.floor((usableBytes * share) / mebibyte);
  return `${Math.min(mebibytesMax, Math.max(mebibytesMin, mebibytes))}MB`;
}
