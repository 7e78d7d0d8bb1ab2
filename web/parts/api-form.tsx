import { Alert, Stack, type StackProps } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { type MutationMeta, type UseMutationResult, useMutation } from '@tanstack/react-query';
import { type FormEventHandler, type ReactNode, useEffect, useRef } from 'react';
import { ApiProblem } from '../api/client.ts';

interface ApiFormOptions<Values, Answer> {
  /** Named like the fields of the API, so that errors appear at the right inputs. An untouched form follows them. */
  readonly initialValues: Values;
  /** The key of the values in the body of the request, if they are not the body itself. */
  readonly within?: string;
  /** The fields whose errors the inputs show; all of them by default. */
  readonly inputs?: readonly string[];
  send(values: Values): Promise<Answer>;
  onSuccess?(answer: Answer, sent: Values): unknown;
  readonly meta?: MutationMeta;
}

export type ApiForm<Values, Answer = unknown> = UseFormReturnType<Values> & {
  readonly mutation: UseMutationResult<Answer, Error, void>;
  /** What went wrong, unless an input shows it. */
  readonly problem: string | undefined;
  readonly submit: FormEventHandler<HTMLFormElement>;
};

/** A form that is sent to the API. Field errors appear at their inputs, and a second click does nothing. */
export function useApiForm<Values extends Record<string, unknown>, Answer>(
  options: ApiFormOptions<Values, Answer>,
): ApiForm<Values, Answer> {
  const { initialValues, inputs = Object.keys(initialValues), within, send, onSuccess, meta } = options;
  const form = useForm<Values>({ initialValues });
  const sent = useRef(initialValues);
  const mutation = useMutation({
    mutationFn: () => {
      sent.current = form.getValues();
      return send(sent.current);
    },
    onSuccess: (answer) => onSuccess?.(answer, sent.current),
    // Of several errors at one input, the first is shown.
    onError: (error) =>
      form.setErrors(Object.fromEntries(fieldErrors(error, within, sent.current).toReversed())),
    ...(meta === undefined ? {} : { meta }),
  });
  // Mantine's own keeps a flag per field, and misses a row that is added after another change was undone.
  const isDirty = () => JSON.stringify(form.values) !== JSON.stringify(form.getInitialValues());
  const served = JSON.stringify(initialValues);
  const followed = useRef(served);
  const { isPending } = mutation;
  // What is saved may be served before the save has ended, and is then followed at its end.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only new data from the service and the end of a save count.
  useEffect(() => {
    if (isPending || isDirty() || followed.current === served) return;
    followed.current = served;
    form.setInitialValues(initialValues);
    form.setValues(initialValues);
  }, [served, isPending]);
  return {
    ...form,
    mutation,
    problem: remainingProblem(mutation.error, inputs, within, sent.current),
    submit: form.onSubmit(() => {
      if (!mutation.isPending) mutation.mutate();
    }),
    isDirty,
    reset() {
      form.setInitialValues(initialValues);
      form.reset();
      mutation.reset();
    },
  };
}

interface SubmitFormProps extends StackProps {
  readonly form: Pick<ApiForm<unknown>, 'problem' | 'submit'>;
  readonly children: ReactNode;
}

/** The form element, with what went wrong above its inputs. */
export function SubmitForm({ form, children, ...stack }: SubmitFormProps) {
  return (
    <form onSubmit={form.submit}>
      <Stack gap="sm" {...stack}>
        {form.problem && (
          <Alert color="red" role="alert">
            {form.problem}
          </Alert>
        )}
        {children}
      </Stack>
    </form>
  );
}

/** The API writes `settings.fields[2].key` where the form has `fields.2.key`. A list of texts has one input. */
export function fieldErrors(
  error: Error | null,
  within: string | undefined,
  sent: unknown,
): [path: string, message: string][] {
  const errors = error instanceof ApiProblem ? error.errors : [];
  return errors.map(({ field, message }) => {
    const own = field.startsWith(`${within}.`) ? field.slice(`${within}.`.length) : field;
    const path = own.replaceAll(/\[(\d+)\]/g, '.$1');
    const isRow = typeof valueAt(sent, path) === 'object';
    return [isRow ? path : path.replace(/\.\d+$/, ''), message.charAt(0).toUpperCase() + message.slice(1)];
  });
}

function valueAt(values: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce((inner, key) => (inner as Readonly<Record<string, unknown>> | null | undefined)?.[key], values);
}

/** The errors that no input shows, or the problem as a whole if it names no fields. */
function remainingProblem(
  error: Error | null,
  inputs: readonly string[],
  within: string | undefined,
  sent: unknown,
): string | undefined {
  const errors = fieldErrors(error, within, sent);
  if (errors.length === 0) return error?.message;
  const others = errors.filter(([path]) => !inputs.includes(path.split('.', 1)[0] ?? ''));
  return others.length === 0 ? undefined : others.map(([path, message]) => `${path}: ${message}`).join('; ');
}
