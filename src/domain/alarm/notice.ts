/** What a message is about. */
export type NoticeWhat = 'opened' | 'reminder' | 'closed' | 'digest';

/** `collected`: waits for a digest. `digested`: was in one. `muted`: nobody is told. */
export type NoticeState = 'told' | 'collected' | 'digested' | 'muted';

/** Of the emails to owners or operators. */
export type EmailState = 'none' | 'due' | 'sent' | 'failed';
