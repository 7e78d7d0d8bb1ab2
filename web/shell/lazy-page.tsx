import { Alert, Button, Group, Text } from '@mantine/core';
import { type ComponentType, type FunctionComponent, use, useEffect, useReducer, useState } from 'react';
import { connection } from '../api/connection.ts';
import { loadedAgain } from '../parts/dialogs/loaded-again.ts';
import { Icon } from '../parts/icons.tsx';
import { useConnection } from './connection-bar.tsx';

/** Loads the code of a page; undefined once it is there. */
type Preload = () => Promise<void> | undefined;
export type LazyPage = FunctionComponent & { preload: () => Promise<void> };

/**
 * A page whose code is loaded when it is needed. If that fails, the page says so in its place and can be tried again; the
 * router's own lazy component reloads the window instead, which is lost if the service is down.
 */
export function lazyPage<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): LazyPage {
  const loadPage = loadedAgain(load);
  let Page: ComponentType | undefined;
  let isMissing = false;
  let loading: Promise<void> | undefined;
  const preload: Preload = () => {
    if (Page !== undefined) return undefined;
    loading ??= loadPage().then(
      (module) => {
        Page = module[name];
      },
      (error: unknown) => {
        isMissing = true;
        loading = undefined;
        forgetStyles(String(error));
      },
    );
    return loading;
  };
  function Lazy() {
    const redraw = useReducer((count: number) => count + 1, 0)[1];
    if (Page === undefined && !isMissing) use(preload() as Promise<void>);
    const retry = async () => {
      await preload();
      redraw();
      return Page !== undefined;
    };
    return Page === undefined ? <MissingPage retry={retry} /> : <Page />;
  }
  // The router waits for it, and a failure is shown by the page itself.
  return Object.assign(Lazy, { preload: async () => preload() });
}

/** A stylesheet that failed stays in the document, where the next try would find it and not load it again. */
function forgetStyles(failure: string): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]'))
    if (failure.endsWith(` ${link.href}`)) link.remove();
}

/** Offers a reload only if the service responds and still does not have the file: then there is a new release. */
function MissingPage({ retry }: { retry: () => Promise<boolean> }) {
  const { outage } = useConnection();
  const [isTrying, setTrying] = useState(false);
  const [isReplaced, setReplaced] = useState(false);
  const tryAgain = async () => {
    setTrying(true);
    const isUp = await connection.check();
    if (isUp && !(await retry())) setReplaced(true);
    setTrying(false);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once now, and once when the service is back.
  useEffect(() => {
    if (outage === null) void tryAgain();
  }, [outage]);
  const reload = async () => {
    if (await connection.check()) window.location.reload();
  };
  const canReload = isReplaced && outage === null;
  return (
    <Alert color="red" title="This page could not be loaded" icon={<Icon name="alert" />}>
      <Group justify="space-between" align="center">
        <Text size="sm">
          {canReload
            ? 'There may be a new version of Leadgate. Reload to get it.'
            : 'Its code is missing because Leadgate did not respond. Other pages still work.'}
        </Text>
        <Group gap="xs">
          {canReload && (
            <Button size="xs" variant="default" onClick={() => void reload()}>
              Reload
            </Button>
          )}
          <Button
            size="xs"
            variant="default"
            loading={isTrying}
            onClick={() => void tryAgain()}
            leftSection={<Icon name="refresh" size={14} />}
          >
            Try again
          </Button>
        </Group>
      </Group>
    </Alert>
  );
}
