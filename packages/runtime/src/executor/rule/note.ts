// What users should know about their executors, in a few sentences.
import { executorProblem, type ListedExecutor } from '@tandem/contract/executor'

/** More are listed by `tandem executors` and in the settings. */
const mostNamed = 3

export function executorNote(executors: readonly ListedExecutor[]): string {
  if (executors.length === 0) return 'No remote executors were added.'
  const ready = executors.filter(({ state }) => state === 'ready').length
  const others = executors.filter(({ state }) => state !== 'ready')
  const named = others.slice(0, mostNamed).map((executor) => `${executor.name}: ${executorProblem(executor)}`)
  const left = others.length - named.length
  const more = left === 0 ? [] : [`${left} more ${left === 1 ? 'is' : 'are'} not available.`]
  const total = `${ready} of ${executors.length} ${executors.length === 1 ? 'remote executor is' : 'remote executors are'} available.`
  return [total, ...named, ...more].join(' ')
}
