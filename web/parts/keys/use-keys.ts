import { useEffect, useRef } from 'react';

/** What a key does on the page that is shown. The label is a row of the list of shortcuts: "Refresh". */
interface KeyAction {
  readonly label: string;
  press(event: KeyboardEvent): void;
  /** A key that is held down moves on, as j and k do in a list. */
  readonly repeats?: boolean;
  /** Works in and behind a single drawer too, such as that of a lead. A question above the drawer still has all keys. */
  readonly worksInDrawer?: boolean;
}

/** By the name of the key as browsers tell it, in lower case: `l`, `/`, `?`, `Enter`, `ArrowDown`, and ` ` for Space. */
export type KeyActions = Readonly<Record<string, KeyAction>>;

interface Registration {
  current: KeyActions;
}

/** People who use speech or press keys by accident can switch single keys off. */
const switchName = 'leadgate.shortcuts';
const registrations: Registration[] = [];

export function areShortcutsOn(): boolean {
  return localStorage.getItem(switchName) !== 'off';
}

export function setShortcutsOn(isOn: boolean): void {
  if (isOn) localStorage.removeItem(switchName);
  else localStorage.setItem(switchName, 'off');
}

/** Keys of what is shown now, each once: what was shown last has the last word. */
export function registeredKeys(): readonly { readonly key: string; readonly label: string }[] {
  const labels = new Map<string, string>();
  for (const { current } of registrations)
    for (const [key, { label }] of Object.entries(current)) labels.set(key, label);
  return [...labels].map(([key, label]) => ({ key, label }));
}

/**
 * Single keys for as long as the component is shown. They do nothing while someone types, in and behind a dialog, together with
 * Ctrl, Alt or Meta, and for people who switched them off. Each action needs a visible control too.
 */
export function useKeys(actions: KeyActions): void {
  const registration = useRef<KeyActions>(actions);
  registration.current = actions;
  useEffect(() => {
    if (registrations.length === 0) document.addEventListener('keydown', press);
    registrations.push(registration);
    return () => {
      registrations.splice(registrations.indexOf(registration), 1);
      if (registrations.length === 0) document.removeEventListener('keydown', press);
    };
  }, []);
}

function press(event: KeyboardEvent): void {
  const action = actionOf(nameOf(event));
  if (action === undefined || isForOthers(event) || !areShortcutsOn()) return;
  // Also while one opens and does not have the focus yet.
  const dialogs = document.querySelectorAll('[role="dialog"]').length;
  if (dialogs > (action.worksInDrawer === true ? 1 : 0)) return;
  if (event.repeat && action.repeats !== true) return;
  event.preventDefault();
  action.press(event);
}

function actionOf(key: string): KeyAction | undefined {
  return registrations.findLast(({ current }) => Object.hasOwn(current, key))?.current[key];
}

/** Caps Lock changes nothing; Shift with a letter is another key. */
function nameOf({ key, shiftKey }: KeyboardEvent): string {
  if (key.length > 1) return key;
  return shiftKey ? key.toUpperCase() : key.toLowerCase();
}

function isForOthers(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey)
    return true;
  const target = event.target instanceof Element ? event.target : document.body;
  if (target.closest('[role="menu"], [role="listbox"], [role="combobox"]') !== null) return true;
  if (target.closest('textarea, select, [contenteditable="true"]') !== null) return true;
  // A box to tick takes Space alone.
  if (target.matches('input:not([type="checkbox"], [type="radio"])')) return true;
  return isNative(event.key) && target.closest('a, button, input, summary, [tabindex="0"]') !== null;
}

/** What browsers do with a focused control by themselves. */
function isNative(key: string): boolean {
  return key === 'Enter' || key === ' ' || key.startsWith('Arrow');
}
