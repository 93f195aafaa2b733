import { type DocumentProblem, type DocumentRow, documentProblems } from '@tandem/contract/knowledge'

export interface FilesWithProblem {
  /** `in_part` if only a part of them could be read. */
  readonly problem: DocumentProblem | 'in_part'
  readonly files: readonly DocumentRow[]
}

/** In the order of the contract, without reasons that do not occur. */
export function byProblem(rows: readonly DocumentRow[]): readonly FilesWithProblem[] {
  const groups = Map.groupBy(rows, problemOf)
  return [...documentProblems, 'in_part' as const].flatMap((problem) => {
    const files = groups.get(problem)
    return files ? [{ problem, files }] : []
  })
}

/** Null if all of it can be found. */
export function problemOf({ problem, detail }: Pick<DocumentRow, 'problem' | 'detail'>): FilesWithProblem['problem'] | null {
  return problem ?? (detail === null ? null : 'in_part')
}
