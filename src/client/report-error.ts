/**
 * Takes an error that stops nothing: the work is tried again, or given up, by whoever reports it.
 *
 * `activity`: what failed, naming the object, such as `sync job default/pi` or `list pods`.
 */
export type ReportError = (error: unknown, activity: string) => void;
