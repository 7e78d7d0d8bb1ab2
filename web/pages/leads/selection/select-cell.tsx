import { Box, Checkbox } from '@mantine/core';
import { useContext } from 'react';
import type { LeadListed } from '../../../../src/contract/leads/lead.ts';
import { TabStop } from '../table/cells.tsx';
import { titleOf } from '../table/identity.ts';
import { useSelection } from './use-selection.ts';
import './selection.css';

/** Of the column, in pixels. */
export const selectWidth = 40;

/** The box of a row. A click with Shift selects from the row that was selected last to this one. */
export function SelectCell({ lead }: { lead: LeadListed }) {
  const selection = useSelection();
  const tabStop = useContext(TabStop);
  if (selection === null) return null;
  const id = lead.submission_id;
  return (
    <Box
      role="cell"
      className="lead-select"
      // The row around it would open the lead.
      onClick={(event) => event.stopPropagation()}
    >
      <Checkbox
        size="xs"
        classNames={{ body: 'lead-select-target' }}
        aria-label={`Select ${titleOf(lead.fields)}`}
        tabIndex={tabStop === id ? 0 : -1}
        checked={selection.isChosen(id)}
        onChange={({ nativeEvent }) =>
          nativeEvent instanceof MouseEvent && nativeEvent.shiftKey
            ? selection.chooseTo(id)
            : selection.toggle(id)
        }
      />
    </Box>
  );
}

export function SelectHead() {
  const selection = useSelection();
  if (selection === null) return null;
  const { isAllLoaded, isEmpty, chooseLoaded } = selection;
  return (
    <Box role="columnheader" className="lead-select">
      <Checkbox
        size="xs"
        classNames={{ body: 'lead-select-target' }}
        aria-label="Select all shown"
        checked={isAllLoaded}
        indeterminate={!isAllLoaded && !isEmpty}
        onChange={() => chooseLoaded(!isAllLoaded)}
      />
    </Box>
  );
}
