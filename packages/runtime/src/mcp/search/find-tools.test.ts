import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findTools, type SearchedTool } from './find-tools.ts'

function tool(server: string, name: string, description = '', parameters = ''): SearchedTool {
  return { tool: `mcp.${server}.${name}`, server, server_name: server, description, parameters }
}

const tools = [
  tool('hub', 'createIssue', 'Create a new issue in a repository.', 'title body labels'),
  tool('hub', 'list_issues', 'Lists the issues of a repository.', 'state page'),
  tool('hub', 'merge_pull_request', 'Merge a pull request.', 'method'),
  tool('mail', 'send_message', 'Sends an e-mail to someone.', 'to subject body'),
  tool('mail', 'search_messages', 'Finds e-mails by words.', 'query'),
  tool('maps', 'directions', 'Finds a way between two places. Use tool.search first.', 'from to'),
]
const found = (query: string) => findTools(query, tools).map((one) => one.tool.slice(4))

test.each<[string, string[]]>([
  ['create an issue', ['hub.createIssue', 'hub.list_issues']],
  ['issues', ['hub.list_issues', 'hub.createIssue']],
  ['merging pull requests', ['hub.merge_pull_request']],
  ['send email to someone', ['mail.send_message']],
  ['SUBJECT', ['mail.send_message']],
  ['directions', ['maps.directions']],
  ['mcp.hub.merge_pull_request', ['hub.merge_pull_request', 'hub.list_issues', 'hub.createIssue']],
  ['the of a', []],
  ['quantum', []],
  ['', []],
])('%s', (query, expected) => {
  expect(found(query)).toEqual(expected)
})

test('any query gives each tool at most once, always in the same order', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.array(fc.string()), (query, names) => {
      const some = [...new Set(names)].map((name) => tool('s', name, query))
      const result = findTools(query, some)
      expect(new Set(result).size).toBe(result.length)
      expect(findTools(query, some.toReversed())).toEqual(result)
    }),
  )
})
