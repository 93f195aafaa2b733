// The window and the terminal session use the same names for the same commands.
import { expect, test } from 'vitest'
import { slashCommands as ofTerminal } from '../packages/cli/src/chat/slash-commands.ts'
import { slashCommands as ofWindow } from '../packages/desktop/src/chat/slash-commands.ts'

const names = (commands) => commands.map(({ name }) => name)

test('each side has all commands of the other, except those that make sense only there', () => {
  expect(names(ofWindow).filter((name) => !names(ofTerminal).includes(name))).toEqual(['branch', 'export'])
  expect(names(ofTerminal).filter((name) => !names(ofWindow).includes(name))).toEqual(['conversations', 'sandbox', 'quit'])
})
