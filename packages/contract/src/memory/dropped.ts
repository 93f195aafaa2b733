/** Why something that was proposed as a memory was not kept. */
export const memoryDropReasons = [
  'secret',
  'empty',
  'quote_not_found',
  'not_in_quote',
  'only_from_user',
  'about_user',
  'from_tool',
  'recalled',
  'small_talk',
  'in_code',
  'not_remembered',
  'forgotten',
  'malformed',
] as const
export type MemoryDropReason = (typeof memoryDropReasons)[number]

/** For users. */
export const memoryDropReasonTexts: Readonly<Record<MemoryDropReason, string>> = {
  secret: 'it contains a secret',
  empty: 'it is empty',
  quote_not_found: 'it quotes something that you did not say',
  not_in_quote: 'it says something that you did not say',
  only_from_user: 'only you can state a preference or a decision',
  about_user: 'only you can say something about yourself',
  from_tool: 'it repeats a page, a file or the output of a command',
  recalled: 'it repeats what was remembered already',
  small_talk: 'it is small talk',
  in_code: 'it can be read from the code',
  not_remembered: 'remembering is off there',
  forgotten: 'you chose to forget it',
  malformed: 'the model did not answer in the required form',
}
