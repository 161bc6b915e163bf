/** The time of day, for records of when something was done. It goes back when somebody sets the clock. */
export function calendarTime(): string {
  return new Date(Date.now()).toISOString();
}
