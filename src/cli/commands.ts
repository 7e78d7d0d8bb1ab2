import type { Command } from 'commander';
import { alarmCommand } from './commands/alarm/alarm.ts';
import { backupCommand } from './commands/backup.ts';
import { deliveryCommand } from './commands/delivery/delivery.ts';
import { demoCommand } from './commands/demo.ts';
import { destinationCommand } from './commands/destination/destination.ts';
import { diagnoseCommand } from './commands/diagnose.ts';
import { doctorCommand } from './commands/doctor.ts';
import { eventsCommand } from './commands/feed/events.ts';
import { listenCommand } from './commands/feed/listen.ts';
import { formCommand } from './commands/form.ts';
import { heldCommand } from './commands/held/held.ts';
import { invitationCommand } from './commands/invitation/invitation.ts';
import { keyCommand } from './commands/key/key.ts';
import { leadCommand } from './commands/lead.ts';
import { migrateCommand } from './commands/migrate.ts';
import { limitsCommand } from './commands/rejection/limits.ts';
import { rejectionCommand } from './commands/rejection/rejection.ts';
import { rekeyCommand } from './commands/rekey.ts';
import { restoreCommand } from './commands/restore.ts';
import { secretCommand } from './commands/secret.ts';
import { completionCommand } from './commands/shell/completion.ts';
import { helpCommand } from './commands/shell/help.ts';
import { signCommand } from './commands/sign.ts';
import { slugCommand } from './commands/slug.ts';
import { startCommand } from './commands/start.ts';
import { statusCommand } from './commands/status.ts';
import { tailCommand } from './commands/tail.ts';
import { tokenCommand } from './commands/token/token.ts';
import { viewCommand } from './commands/view/view.ts';
import { whoamiCommand } from './commands/whoami.ts';
import { workspaceCommand } from './commands/workspace.ts';

/** Every command, in the order of the help. A new one is a file in commands/ and a line here. */
export const commands: readonly (() => Command)[] = [
  startCommand,
  demoCommand,
  migrateCommand,
  doctorCommand,
  statusCommand,
  whoamiCommand,
  workspaceCommand,
  formCommand,
  slugCommand,
  tokenCommand,
  keyCommand,
  invitationCommand,
  secretCommand,
  leadCommand,
  viewCommand,
  rejectionCommand,
  limitsCommand,
  heldCommand,
  alarmCommand,
  destinationCommand,
  deliveryCommand,
  eventsCommand,
  listenCommand,
  signCommand,
  diagnoseCommand,
  tailCommand,
  backupCommand,
  restoreCommand,
  rekeyCommand,
  completionCommand,
  helpCommand,
];
