import { notifications } from '@mantine/notifications';

export function toastDone(message: string): void {
  notifications.show({ message, color: 'teal' });
}

export function toastProblem(error: Error): void {
  notifications.show({ title: 'Something went wrong', message: error.message, color: 'red' });
}
