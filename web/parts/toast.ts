import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';

/** Of a link in a toast, which needs time to be followed. */
export const linkLook = { size: 'sm', c: 'inherit', underline: 'always' } as const;
const linkMs = 10_000;

export function toastDone(message: ReactNode): void {
  notifications.show({
    message,
    color: 'teal',
    ...(typeof message === 'string' ? {} : { autoClose: linkMs }),
  });
}

export function toastProblem(error: Error): void {
  notifications.show({ title: 'Something went wrong', message: error.message, color: 'red' });
}
