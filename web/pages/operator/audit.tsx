import { OperatorAuditLog } from '../workspace/audit-log.tsx';

export function AuditTab() {
  return <OperatorAuditLog />;
}
