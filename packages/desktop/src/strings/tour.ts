// Texts of the tour.
import { translated } from '../language/language.ts'
import { commandKey } from './keys.ts'

export const tourWords = translated('tour', {
  tour: {
    label: 'Quick tour',
    step: (at: number, all: number) => `${at} of ${all}`,
    next: 'Next',
    back: 'Back',
    skip: 'Skip',
    done: 'Got it',
    tryIt: 'Try it in a sample folder',
    steps: [
      [
        'Describe it, and it gets done',
        'Write what you want in your own words. The agent works in a folder, and you can open every step it takes.',
      ],
      [
        'It asks first',
        'The agent can read files in its folder without asking. Before it changes, runs or sends anything, it shows you exactly what it will do.',
      ],
      [
        'Changes can be undone',
        'Tandem saves a recovery point before each change and tells you in advance what cannot be restored. Preview any restore, and undo it too.',
      ],
      ['Find anything', `Press ${commandKey} K to find any page, conversation or action. No mouse needed.`],
    ],
    prompt: 'List the files here, then replace "Helo" with "Hello" in greeting.js, then run `node --test`',
    sample: 'Sample: fix a greeting',
    doing: 'create a sample folder',
    offer: 'New here? In a sample folder, an agent lists files, fixes a bug and runs a test, and you can undo all of it.',
  },
} as const)
