import { type ComponentType, useEffect, useState } from 'react';
import { toastProblem } from '../toast.ts';
import { loadedAgain } from './loaded-again.ts';

interface DialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

const preloads: (() => Promise<unknown>)[] = [];

/** Loads the code of all dialogs below, to open them even while the service is down. A failure does not matter yet. */
export async function preloadDialogs(): Promise<void> {
  for (const preload of preloads) await preload().catch(() => undefined);
}

/** A dialog that few people open, whose code is loaded when someone does, if not before. */
export function lazyDialog<Name extends string, Props extends DialogProps>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
): ComponentType<Props> {
  const loadDialog = loadedAgain(load);
  let Dialog: ComponentType<Props> | undefined;
  const preload = async () => {
    Dialog ??= (await loadDialog())[name];
  };
  preloads.push(preload);
  return function LazyDialog(props: Props) {
    const { opened, onClose } = props;
    const [isLoaded, setLoaded] = useState(false);
    // Closed at first: a dialog notes what had the focus when it opens, and not when it is created.
    const [isReady, setReady] = useState(false);
    useEffect(() => {
      if (!opened || isLoaded) return;
      preload().then(
        () => setLoaded(true),
        () => {
          toastProblem(new Error('Leadgate is not responding. Try again when it is back.'));
          onClose();
        },
      );
    }, [opened, isLoaded, onClose]);
    useEffect(() => setReady(isLoaded), [isLoaded]);
    return isLoaded && Dialog !== undefined ? <Dialog {...props} opened={opened && isReady} /> : null;
  };
}
