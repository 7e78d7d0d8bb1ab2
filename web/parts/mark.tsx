/** The sign of Leadgate: an arrow that goes through a gate. */
export function Mark({ size = 24 }: { size?: number }) {
  return <img src="/favicon.svg" width={size} height={size} alt="" />;
}
