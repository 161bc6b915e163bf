/** The longest prefix of a pod's generated name. The API server adds five characters, up to a limit of 63. */
export const GENERATE_NAME_MAX = 58;
