export interface WorkflowIssue {
  /** JSON pointer into the definition. */
  readonly pointer: string
  readonly message: string
}
