import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';

/** Time to read it, and to follow a link in it. */
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
