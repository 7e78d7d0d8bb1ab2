import type { TestProject } from 'vitest/node';
import { prepareWebApp } from '../../src/http/web-build.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the built settings area. */
    webApp: string;
  }
}

/** Built once for the whole run, so that no service that a test starts builds it on the side. */
export default async function setup(project: TestProject): Promise<void> {
  let said = '';
  const folder = await prepareWebApp((line) => {
    said = line;
  });
  if (folder === null) throw new Error(`There is no settings area to test. ${said}`);
  project.provide('webApp', folder);
}
