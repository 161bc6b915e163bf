/** A workload asks for something that Berth does not have: it is not run, and this says why. */
export class Unsupported extends Error {
  override readonly name = 'Unsupported';
}
