/** The number of Deployments in a `real` cluster; each has an image of its own. */
export const REAL_DEPLOYMENTS = 60;

interface Image {
  readonly name: string;
  readonly sizeBytes: number;
}

const MEBIBYTE = 2 ** 20;

/** The image of each Deployment, from 20 MiB to about 1.3 GiB. */
export const REAL_IMAGES = Array.from({ length: REAL_DEPLOYMENTS }, (_, i) => ({
  name: `registry.example.com/team-${i % 9}/app-${i}:v1.${i % 20}.${i}`,
  sizeBytes: (20 + ((i * 97) % 64) * 20) * MEBIBYTE,
})) as [Image, ...Image[]];
