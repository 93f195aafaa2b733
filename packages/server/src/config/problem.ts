// A problem with a setting. It names the variable and never contains its value: any value may be a secret.

export interface ConfigProblem {
  readonly variable: string
  readonly code: 'missing' | 'malformed' | 'refused' | 'unreachable'
  readonly cause: string
  readonly remedy: string
}

/** One line that tells the operator what to do. */
export function problemLine(problem: ConfigProblem): string {
  return `${problem.variable}: ${problem.cause}; ${problem.remedy}`
}
