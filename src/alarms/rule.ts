import type pg from 'pg';
import type { Alarm, AlarmEnd, AnyAlarmKind, Finding } from '../domain/alarm/alarm.ts';
import type { AlarmSettings } from '../domain/alarm/settings.ts';
import type { Surface } from '../domain/surface.ts';

/** Judges one kind of alarm, or several that are found by the same facts. */
export interface Rule {
  readonly kinds: readonly AnyAlarmKind[];
  /** How often it is judged. */
  readonly everyMinutes: number;
  /** May reject: then its alarms stay as they are, and the other rules are judged. */
  judge(judgement: Judgement): Promise<Verdicts>;
}

/**
 * An alarm that is open stays open unless it is in `over`: each rule decides itself how long it waits. One that is in
 * `findings`, too, gets its new evidence and severity.
 */
export interface Verdicts {
  readonly findings: readonly Finding[];
  readonly over: readonly Over[];
}

export interface Over {
  readonly alarmId: string;
  readonly as: AlarmEnd;
}

/** What is known at the time of judging. */
export interface Judgement {
  readonly now: Date;
  readonly pool: pg.Pool;
  /** Without those whose counts could not be read: their node is down, so nothing is known about them. */
  readonly workspaces: ReadonlyMap<string, WatchedWorkspace>;
  /** The shards of those workspaces, by node: statements about one group run on one node. One group on one server. */
  readonly shardGroups: readonly (readonly number[])[];
  /** The open alarms of the kinds that the rule judges, of those workspaces or of the instance. */
  readonly open: readonly Alarm[];
  /** All open alarms of those workspaces. */
  readonly allOpen: readonly Alarm[];
  /** Counted requests of the last hour. */
  readonly counts: readonly RecentCounts[];
}

export interface WatchedWorkspace {
  readonly id: string;
  readonly name: string;
  readonly isSuspended: boolean;
  readonly settings: AlarmSettings;
  readonly forms: ReadonlyMap<string, WatchedForm>;
  readonly tokens: ReadonlyMap<string, WatchedToken>;
}

/** Not deleted. */
export interface WatchedForm {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly isActive: boolean;
}

/** Those that are valid, or were until some days ago. */
export interface WatchedToken {
  readonly id: string;
  readonly formId: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
}

/** Requests of one source with one outcome in the last hour. The source is a token, or a form without one. */
export interface RecentCounts {
  readonly workspaceId: string;
  readonly formId: string;
  /** Null on the surfaces without tokens. */
  readonly tokenId: string | null;
  readonly surface: Surface;
  /** 'accepted' or a rejection reason. */
  readonly outcome: string;
  readonly in10Minutes: Counted;
  readonly in30Minutes: Counted;
  readonly in60Minutes: Counted;
  readonly lastAt: Date;
}

export interface Counted {
  readonly count: number;
  /** Of rejected ones. */
  readonly proven: number;
  /** Of accepted ones. */
  readonly spam: number;
}
