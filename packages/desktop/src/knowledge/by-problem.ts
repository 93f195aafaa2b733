import { type DocumentProblem, type DocumentRow, documentProblems } from '@tandem/contract/knowledge'

export interface FilesWithProblem {
  readonly problem: DocumentProblem
  readonly files: readonly DocumentRow[]
}

/** In the order of the contract, without reasons that do not occur. */
export function byProblem(rows: readonly DocumentRow[]): readonly FilesWithProblem[] {
  const groups = Map.groupBy(rows, ({ problem }) => problem)
  return documentProblems.flatMap((problem) => {
    const files = groups.get(problem)
    return files ? [{ problem, files }] : []
  })
}
