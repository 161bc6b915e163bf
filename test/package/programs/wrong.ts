/** The compile tests would pass if a type of the package were `any`: this must be refused. */
import type { Pod } from 'kube-berth';

export const pod: Pod = { metadata: { name: 1 } };
