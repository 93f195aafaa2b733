import { manualRemediationKinds } from '@tandem/contract/learning'
import { expect, test } from 'vitest'
import type { BehaviorCall, BehaviorFacts, SaidMessage } from './behavior.ts'
import { belongs } from './concepts.ts'
import { isPointing, remediationsIn } from './remediation.ts'

const call = (tool: string, args: unknown, rest: Partial<BehaviorCall> = {}): BehaviorCall => ({
  ...{ step_id: 'step', tool, arguments: JSON.stringify(args), proposed: null, outcome: 'succeeded', denied: false, undone_by: null },
  ...rest,
})
const message = (text: string, rest: Partial<SaidMessage> = {}): SaidMessage => ({
  ...{ message_id: 'message', step_id: 'said', text, starts: false, follows_agent: true, about: null },
  ...rest,
})
const facts = (given: Partial<BehaviorFacts>): BehaviorFacts => ({
  ...{ run_id: 'run', agent_id: 'agent', conversation_id: 'conversation', workspace: '/home/ada/shop', day: '2026-05-01' },
  ...{ asked_by_person: true, canceled_by: null, calls: [], said: [], restores: [], edited_files: [] },
  ...given,
})
const only = (given: Partial<BehaviorFacts>) => {
  const found = remediationsIn(facts(given))
  expect(found).toHaveLength(1)
  return found[0]
}
const pushed = (branch: string) =>
  call(
    'shell.exec',
    { command: `git push --force-with-lease origin ${branch}` },
    { proposed: JSON.stringify({ command: `git push --force origin ${branch}` }) },
  )
const denied = (tool: string, args: unknown) => call(tool, args, { denied: true, outcome: 'denied' })

test('each kind is found, with a summary that has only the name of the tool', () => {
  const found = remediationsIn(
    facts({
      calls: [
        pushed('main'),
        denied('fs.delete', { path: 'data/a.csv' }),
        call('shell.exec', { command: 'npx prettier --write .' }, { undone_by: 'restore' }),
      ],
      said: [message('No, staging listens on 8443.')],
      restores: ['restore'],
      edited_files: [{ path: 'src/a.ts', added: ['// SPDX-License-Identifier: EUPL-1.2'] }],
      canceled_by: 'end',
    }),
  )
  expect(found.map(({ kind, summary, step_id }) => [kind, summary, step_id])).toEqual([
    ['edited_arguments', 'You changed the arguments of shell.exec.', 'step'],
    ['denied_call', 'You denied a call of fs.delete.', 'step'],
    ['corrected_agent', 'You corrected the agent.', 'said'],
    ['restored_checkpoint', 'You restored files after shell.exec.', 'restore'],
    ['edited_file', 'You edited a file by hand that the agent had written.', null],
    ['canceled_run', 'You canceled the run after shell.exec.', 'end'],
  ])
  expect(found.map(({ kind }) => kind).toSorted()).toEqual(manualRemediationKinds.toSorted())
  expect(found.every(isPointing)).toBe(true)
})

type Given = Partial<BehaviorFacts>
const areJoined = (left: Given, right: Given) => {
  const counts = new Map(only(right)?.concepts.map(({ name }) => [name, 1]))
  return belongs(only(left)?.concepts ?? [], { size: 1, counts }) > 0
}
const edited = (tool: string, before: unknown, after: unknown) => call(tool, after, { proposed: JSON.stringify(before) })

test('the same change of arguments is joined, on another branch as well; another change is not', () => {
  const other = edited('shell.exec', { command: 'git push --force' }, { command: 'git push --tags' })
  expect(areJoined({ calls: [pushed('fix/search')] }, { calls: [pushed('map-tiles')] })).toBe(true)
  expect(areJoined({ calls: [other] }, { calls: [pushed('main')] })).toBe(false)
})

test('another host is the same change for every path, method and tool', () => {
  const request = (host: string, path: string) => ({ method: 'PUT', url: `https://${host}/v2/${path}` })
  const rivers = edited('http.request', request('api.example.org', 'rivers'), request('test.example.org', 'rivers'))
  const panels = edited('web.fetch', request('api.example.org', 'panels/9'), request('test.example.org', 'panels/9'))
  const elsewhere = edited('http.request', request('api.example.org', 'rivers'), request('other.example.org', 'rivers'))
  expect(areJoined({ calls: [rivers] }, { calls: [panels] })).toBe(true)
  expect(areJoined({ calls: [rivers] }, { calls: [elsewhere] })).toBe(false)
})

test('the words of arguments are kept as digests', () => {
  const given = edited('shell.exec', { command: 'deploy --key hunter2' }, { command: 'deploy --key swordfish' })
  expect(JSON.stringify(only({ calls: [given] }))).not.toMatch(/hunter2|swordfish/)
})

test('a search outside the workspace that was stopped is the same, whichever program searches', () => {
  const stopped = (command: string) => only({ calls: [call('shell.exec', { command })], canceled_by: 'end' })?.points_to
  expect(stopped("find / -name 'a.py' 2>/dev/null")).toEqual(stopped('grep -r timezone /'))
  expect(stopped("find / -name 'a.py'")).not.toEqual(stopped("find src -name 'a.py'"))
  expect(stopped('npm test --watch')).toEqual(stopped('npm test'))
})

test('a restore is joined by one of the last calls that it undid', () => {
  const undone = (...paths: readonly string[]) => ({
    calls: paths.map((path) => call('fs.edit', { path }, { undone_by: 'restore' })),
    restores: ['restore'],
  })
  expect(areJoined(undone('gen/a.py', 'notes/x.md'), undone('gen/b.py'))).toBe(true)
  expect(areJoined(undone('gen/a.py'), undone('src/a.py'))).toBe(false)
})

test('deletions in one folder point to the same, whichever tool deletes', () => {
  const inData = only({ calls: [denied('shell.exec', { command: 'rm -r data/tiles-cache' })] })?.points_to
  expect(only({ calls: [denied('fs.delete', { path: 'data/customers-copy.csv' })] })?.points_to).toEqual(inData)
  expect(only({ calls: [denied('fs.delete', { path: 'notes/a.md' })] })?.points_to).not.toEqual(inData)
})

test.each([
  ['Wrong port. It is 8443 there.', true],
  ['Nein: 8443, nicht 8080.', true],
  ['Falscher Port, staging lauscht auf 8443.', true],
  ['Ich meinte die andere Datei.', true],
  ['You have to ask port 8443, not 8080.', true],
  ['Unser Geschäftsjahr beginnt im April.', true],
  ['Remember that the books begin on April 1.', true],
  ['Thanks, that is all.', false],
  ['Is it done?', false],
  ['No American dates, please.', false],
  ['And add a test.', false],
])('%s is a correction: %s', (text, expected) => {
  expect(remediationsIn(facts({ said: [message(text)] })).map(({ kind }) => kind)).toEqual(expected ? ['corrected_agent'] : [])
  // Nothing was done yet that could be corrected.
  expect(remediationsIn(facts({ said: [message(text, { starts: true, follows_agent: false })] }))).toEqual([])
})

test('a restore or an end without any call points to nothing', () => {
  expect(remediationsIn(facts({ restores: ['restore'], canceled_by: 'end' })).map(isPointing)).toEqual([false, false])
})

test('a message after which the agent does the same again in another way corrects it; one that explains a restore does not', () => {
  const kinds = (rest: Partial<SaidMessage>) =>
    remediationsIn(facts({ said: [message('Main is for deliveries, take develop.', rest)] })).map(({ kind }) => kind)
  expect(kinds({ about: 'redone' })).toEqual(['corrected_agent'])
  expect(kinds({ about: 'restored' })).toEqual([])
  expect(kinds({ about: 'redone', follows_agent: false })).toEqual([])
})
