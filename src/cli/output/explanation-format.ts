export interface ExplanationFormat {
  /** A row for each node; otherwise nodes with the same verdict share one. */
  readonly hasAllNodes: boolean;
  /** The width of the terminal, if there is one. */
  readonly width?: number | undefined;
}
