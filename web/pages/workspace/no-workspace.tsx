import { PageHeader } from '../../parts/page-header.tsx';
import { Empty } from '../../parts/states.tsx';

export function NoWorkspace() {
  return (
    <>
      <PageHeader title="Welcome" />
      <Empty
        icon="workspace"
        title="You belong to no workspace yet"
        text="An owner can invite you: ask for an invitation link to your email address, and open it here."
      />
    </>
  );
}
