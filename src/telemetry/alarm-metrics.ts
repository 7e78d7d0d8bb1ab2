import { Counter, Histogram, type Registry } from 'prom-client';
import { type AnyAlarmKind, alarmKinds, instanceAlarmKinds } from '../domain/alarm/alarm.ts';
import { addGauge } from './host/gauge.ts';

const emailOutcomes = ['sent', 'failed', 'refused'] as const;

/** The metrics of alarms. */
export class AlarmMetrics {
  readonly #seconds: Histogram;
  readonly #opened: Counter;
  readonly #emails: Counter;
  #judgedAtMs = 0;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#seconds = new Histogram({
      name: 'leadgate_alarm_judgement_seconds',
      help: 'Duration of a judgement: reading what alarms are judged by, and writing what changed.',
      buckets: [0.01, 0.05, 0.1, 0.2, 0.5, 1, 5, 30],
      registers,
    });
    this.#opened = new Counter({
      name: 'leadgate_alarms_opened_total',
      help: 'Alarms that were opened, by kind.',
      labelNames: ['kind'],
      registers,
    });
    for (const kind of [...alarmKinds, ...instanceAlarmKinds]) this.#opened.inc({ kind }, 0);
    this.#emails = new Counter({
      name: 'leadgate_alarm_emails_total',
      help: 'Emails about alarms to owners and operators: sent, failed (tried again later), refused (by the mail server, for this recipient).',
      labelNames: ['outcome'],
      registers,
    });
    for (const outcome of emailOutcomes) this.#emails.inc({ outcome }, 0);
    addGauge(registry, {
      name: 'leadgate_alarms_judged_timestamp_seconds',
      help: 'When this instance last judged alarms, in seconds since 1970; 0 if it never did. One instance does so at a time: watch the highest.',
      read: () => this.#judgedAtMs / 1000,
      rule: 'max',
    });
  }

  onJudged(durationMs: number, at: Date): void {
    this.#seconds.observe(durationMs / 1000);
    this.#judgedAtMs = at.getTime();
  }

  onOpened(kind: AnyAlarmKind): void {
    this.#opened.inc({ kind });
  }

  onEmail(outcome: (typeof emailOutcomes)[number]): void {
    this.#emails.inc({ outcome });
  }
}
