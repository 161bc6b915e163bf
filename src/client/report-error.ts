/**
 * Receives an error that stops nothing: its reporter retries the work or gives it up.
 *
 * `activity`: what failed, naming the object, such as `sync job default/pi` or `list pods`.
 */
export type ReportError = (error: unknown, activity: string) => void;
