// The first look around, said by the window itself.
import { commandKey } from './keys.ts'

export const tourWords = {
  tour: {
    label: 'A first look',
    step: (at: number, all: number) => `${at} of ${all}`,
    next: 'Next',
    back: 'Back',
    skip: 'Skip',
    done: 'Got it',
    tryIt: 'Try it in a sample folder',
    steps: [
      [
        'You say, it does',
        'Write what you want in your own words. The agent works in a folder, and every step it takes is a card you can open.',
      ],
      [
        'It asks first',
        'Looking is free. Before anything is changed, started or sent, a box above the message line shows exactly what, where, and what it may touch.',
      ],
      [
        'It can be taken back',
        'Before each change a recovery point is made. Go back to one, see what that would do first, and take even that back.',
      ],
      ['Everything by name', `${commandKey} K finds every place, conversation and action. Nothing here needs a mouse.`],
    ],
    prompt: 'List the files here, then replace "Helo" with "Hello" in greeting.js, then run `node --test`',
    sample: 'Sample: mend a greeting',
    doing: 'Making a sample folder',
    offer: 'New here? In a folder of its own, an agent lists files, mends a mistake and runs a test, and you can take it all back.',
  },
} as const
