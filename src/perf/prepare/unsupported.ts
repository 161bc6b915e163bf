/** A workload needs something that Berth does not have, so it is not run; the message says what. */
export class Unsupported extends Error {
  override readonly name = 'Unsupported';
}
