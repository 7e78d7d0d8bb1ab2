/** `createAForm` → "create a form". */
export function sentence(action: string): string {
  return action.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`).trim();
}
