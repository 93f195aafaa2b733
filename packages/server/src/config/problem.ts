// What is wrong with a setting. It names the variable and never carries its value: any value may turn out to be a secret.

export interface ConfigProblem {
  readonly variable: string
  readonly code: 'missing' | 'malformed' | 'refused' | 'unreachable'
  readonly cause: string
  readonly remedy: string
}

/** One line a person can act on. */
export function problemLine(problem: ConfigProblem): string {
  return `${problem.variable}: ${problem.cause}; ${problem.remedy}`
}
