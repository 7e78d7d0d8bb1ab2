const scriptUrl = /\bhttps?:\S+\.js(?=(?:\?\d+)?$)/;

/** Loads code that may fail to load. Browsers keep the failure of a URL, so the next try uses another one. */
export function loadedAgain<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let tries = 0;
  let failedUrl: string | undefined;
  return async () => {
    try {
      return await (failedUrl === undefined ? load() : import(/* @vite-ignore */ `${failedUrl}?${++tries}`));
    } catch (error) {
      failedUrl = scriptUrl.exec(String(error))?.[0];
      throw error;
    }
  };
}
