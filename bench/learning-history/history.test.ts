import { readFileSync, statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { classifyFailure, type FailureContract, failureStages, recoverabilities } from '../../packages/contract/src/failure/index.ts'
import { builtinToolNames } from '../../packages/contract/src/tool/index.ts'
import { type Call, causeKeys, failed, fileOf, languages, parts, type Run, runsOf } from './run.ts'
import { words } from './words.ts'

const count = <Item>(items: readonly Item[], matches: (item: Item) => boolean) => items.filter(matches).length

describe.each(parts)('%s', (part) => {
  const runs = runsOf(part)

  test('has 200 runs, each cause equally often and one run in five without a cause', () => {
    const counts = Object.fromEntries([...causeKeys, null].map((cause) => [String(cause), count(runs, (run) => run.cause === cause)]))
    expect(counts).toEqual({ ...Object.fromEntries(causeKeys.map((cause) => [cause, 20])), null: 40 })
  })

  test('is in both languages, with and without each cause', () => {
    for (const cause of [...causeKeys, null]) {
      const of = runs.filter((run) => run.cause === cause)
      for (const language of languages) expect(count(of, (run) => run.language === language)).toBe(of.length / 2)
    }
  })

  test('shows each cause in several programs', () => {
    for (const cause of causeKeys) {
      const programs = new Set(runs.filter((run) => run.cause === cause).map(({ program }) => program))
      expect(programs.size, cause).toBeGreaterThanOrEqual(2)
    }
  })

  test('has exactly one root in a run with a cause, which failed, and none in others', () => {
    for (const { id, cause, program, calls } of runs) {
      const roots = calls.filter(({ root }) => root !== undefined)
      expect(
        roots.map((call) => [call.root, failed(call)]),
        id,
      ).toEqual(cause === null ? [] : [[true, true]])
      expect(program === null, id).toBe(cause === null)
    }
  })

  test('has 3 to 25 calls in a run, and each call has a tool, an identifier of its own and one kind of result', () => {
    const ids = runs.flatMap(({ calls }) => calls.map(({ call_id }) => call_id))
    expect(new Set(ids).size).toBe(ids.length)
    for (const { id, calls } of runs) {
      expect(calls.length, id).toBeGreaterThanOrEqual(3)
      expect(calls.length, id).toBeLessThanOrEqual(25)
      for (const call of calls) expect(problemsOf(call), call.call_id).toEqual([])
    }
  })

  test('ends as its cause lets it', () => {
    for (const run of runs) expect(endsAsItMust(run), run.id).toBe(true)
    for (const cause of causeKeys) {
      const of = runs.filter((run) => run.cause === cause)
      const ends = {
        failed: count(of, ({ end }) => end === 'failed'),
        canceled: count(of, ({ end }) => end === 'canceled'),
        repaired: count(of, ({ repaired }) => repaired === true),
        corrected: count(of, ({ correction }) => correction !== null),
      }
      expect(ends, cause).toEqual({ failed: 12, canceled: 2, repaired: 4, corrected: 2 })
    }
  })

  test('has failures that are not the cause, before the root and in runs without a cause', () => {
    const before = runs.filter(({ calls }) =>
      calls
        .slice(
          0,
          calls.findIndex(({ root }) => root),
        )
        .some(failed),
    )
    expect(before.length).toBeGreaterThan(40)
    expect(count(runs, ({ cause, calls }) => cause === null && calls.some(failed))).toBeGreaterThan(20)
  })

  test('shows no path of the computer it was collected on', () => {
    const text = readFileSync(fileOf(part), 'utf8')
    expect(text.match(/(?<!\/var|_cacache)\/tmp\/|\/root\/|\/Users\/|learning-history/g)).toBeNull()
    const homes = text.match(/\/home\/[^/"\\\s':]+/g) ?? []
    const users = words[part].users.map((user) => `/home/${user}`)
    expect([...new Set(homes)].filter((home) => !users.includes(home))).toEqual([])
  })
})

test('no run occurs twice', () => {
  const runs = parts.flatMap((part) => runsOf(part))
  expect(new Set(runs.map(({ id }) => id)).size).toBe(800)
  const contents = runs.map(({ request, calls }) =>
    JSON.stringify([request, calls.map((call) => [call.arguments, call.result ?? call.text])]),
  )
  expect(new Set(contents).size).toBe(800)
})

test('no two parts share a kind of project with a cause', () => {
  const scenes = parts.flatMap((part) => [...new Set(runsOf(part).map(({ cause, scene }) => `${cause}/${scene}`))])
  expect(scenes.filter((scene, at) => scenes.indexOf(scene) !== at)).toEqual([])
})

test('the files are smaller than 4 MB together', () => {
  const bytes = parts.map((part) => statSync(fileOf(part)).size)
  expect(bytes.reduce((sum, size) => sum + size)).toBeLessThan(4_000_000)
})

function problemsOf({ tool, result, text, failure }: Call): string[] {
  const problems: string[] = []
  if (!builtinToolNames.some((name) => name === tool)) problems.push(`unknown tool ${tool}`)
  if (count([result, text, failure], (kind) => kind !== undefined) !== 1) problems.push('not one kind of result')
  if (result && tool !== 'shell.exec' && tool !== 'script.run') problems.push('the result of a command from another tool')
  if (result && (result.exit_code === null) !== (result.signal !== null)) problems.push('neither an exit code nor a signal')
  if ((result?.output ?? text ?? '').length > 8_192) problems.push('too long')
  if (failure && !isContract(failure)) problems.push('not a failure contract')
  return problems
}

function endsAsItMust({ cause, repaired, end, answer, correction }: Run): boolean {
  if ((end === 'completed') !== (answer !== '')) return false
  if (cause === null) return end === 'completed' && repaired === undefined
  if (repaired) return end === 'completed' && correction === null
  return end === 'completed' ? correction !== null : correction === null
}

function isContract({ taxonomy, stage, source, reason_code, recoverability, details, ...others }: FailureContract): boolean {
  const known = failureStages.find((name) => name === stage)
  return (
    known !== undefined &&
    taxonomy === classifyFailure({ stage: known }) &&
    source !== '' &&
    /^[a-z][a-z0-9_]*$/.test(reason_code) &&
    recoverabilities.includes(recoverability) &&
    details.message !== '' &&
    Object.keys(others).length === 0
  )
}
