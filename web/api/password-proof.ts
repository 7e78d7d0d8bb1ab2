/** Resolves to true once the password is confirmed, and to false when the person cancels. */
type Ask = () => Promise<boolean>;

let ask: Ask | null = null;
let asking: Promise<boolean> | null = null;

/** The dialog that asks, while it is on the page. Returns how to withdraw it. */
export function provideAsk(dialog: Ask): () => void {
  ask = dialog;
  return () => {
    if (ask === dialog) ask = null;
  };
}

/** Calls that are refused at the same time share one dialog. */
export function confirmPassword(): Promise<boolean> {
  if (ask === null) return Promise.resolve(false);
  asking ??= ask().finally(() => {
    asking = null;
  });
  return asking;
}
