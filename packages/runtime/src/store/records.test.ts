import { defaultToolPolicy } from '@tandem/contract/tool'
import { expect, test } from 'vitest'
import { markRecord, unmarkRecord } from './records.ts'

const mara = ['/home/mara']
const bob = ['/home/bob']

const policy = (roots: readonly string[]) => ({
  agent_id: 'a',
  tool: 'fs.read',
  policy: { ...defaultToolPolicy('fs.read'), fs_scope: { roots: [...roots], globs: ['/home/mara/**'] } },
  remembered: [],
})
const server = (command: string, working_directory: string | null) => ({
  server_id: 's',
  transport: 'stdio',
  command,
  args: ['/home/mara/data'],
  working_directory,
})

test.each([
  ['agent_tool_policies', policy(['.', '/home/mara/notes', '/opt/x']), policy(['.', '$HOME/notes', '/opt/x'])],
  ['agent_tool_policies', policy(['$HOME/notes']), policy(['$$HOME/notes'])],
  ['mcp_servers', server('/home/mara/bin/tool', '/home/mara/data'), server('$HOME/bin/tool', '$HOME/data')],
  ['mcp_servers', server('npx', null), server('npx', null)],
  [
    'mcp_servers',
    { server_id: 's', transport: 'http', url: 'https://example.org/' },
    { server_id: 's', transport: 'http', url: 'https://example.org/' },
  ],
  // Written incorrectly by another program.
  ['mcp_servers', { command: 7 }, { command: 7 }],
  ['agent_tool_policies', { policy: { fs_scope: null } }, { policy: { fs_scope: null } }],
  ['agents', { name: '/home/mara' }, { name: '/home/mara' }],
] as const)('%s: stores the paths of %o as those of %o, and reads them as they were', (type, payload, marked) => {
  expect([markRecord<object>(type, payload, mara), unmarkRecord<object>(type, marked, mara)]).toEqual([marked, payload])
})

test('a path in the home folder becomes a path in the home folder of another device', () => {
  const stored = markRecord('mcp_servers', server('/home/mara/bin/tool', '/home/mara'), mara)
  expect(unmarkRecord('mcp_servers', stored, bob)).toEqual(server('/home/bob/bin/tool', '/home/bob'))
})
