/** How long a lead is kept whose key belongs to a lead with another body: its sender has that one's answer. */
export const otherBodyKeptDays = 30;
