// What a format or a pattern of the contract expects, in words. `test/patterns.test.ts` fails for a pattern that is not here.
import { apiKeyPrefix } from '../auth/index.ts'

const moment = 'a valid UTC timestamp with milliseconds, such as 2026-01-31T12:00:00.000Z'

export const formatTexts: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  'date-time': moment,
  date: 'a valid date, such as 2026-01-31',
  email: 'an email address',
  uri: 'a complete URL, such as https://example.com',
}

const url = 'must be a URL that starts with http:// or https:// and contains no spaces, user name or password'

export const patternTexts: Readonly<Record<string, string>> = {
  '^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}Z$': `must be ${moment}`,
  '^\\d{4}-(?:0[1-9]|1[0-2])$': 'must be a month, for example 2026-11',
  '^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])$': `must be ${formatTexts.date}`,
  '^[A-Za-z0-9._:@/-]+$': 'may only contain letters, digits and the characters . _ : @ / -',
  '^[0-9a-f]{64}$': 'must be a SHA-256 hash: 64 characters, 0-9 and a-f',
  '^[0-9a-f]{12}$': 'must be an id of 12 characters, 0-9 and a-f',
  '^[^/\\\\\\x00-\\x1f\\x7f]+$': 'must be a file name without / or \\ and without control characters',
  '^[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+$': 'must be a media type, such as text/plain',
  '^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$': 'must be a language tag, such as en or pt-BR',
  '^[A-Za-z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+)*$': 'must be a time zone name, such as Europe/Berlin',
  '^[\\x21-\\x7e]+$': 'may only contain visible ASCII characters, without spaces',
  '^(?:\\*|"[1-9][0-9]{0,15}")$': 'must be a version in double quotes, such as "3", or *',
  '^[a-z0-9][a-z0-9_-]*/[A-Za-z0-9._:@/+-]+$': 'must be a model id of the form provider/model, such as openai/gpt-5',
  '^[a-z][a-z0-9-]*/[0-9]+$': 'must be a protocol name with its version, such as tandem-executor/1',
  '^[a-z][a-z0-9_]*(?:\\.[a-z0-9_]+)*$':
    'must start with a lower-case letter and may only contain lower-case letters, digits, _ and single dots between them',
  '^https?://[^/?#\\s@]+(?:/[^?#\\s]*)?$': `${url}, query or fragment`,
  '^https?://[^\\s@]+$': url,
  '^http://127\\.0\\.0\\.1:\\d+/$': 'must be an address of this device, such as http://127.0.0.1:4242/',
  '^[A-Za-z0-9][A-Za-z0-9 _.+-]*$':
    'must start with a letter or digit and may only contain letters, digits, spaces and the characters _ . + -',
  '^[a-z][a-z0-9_]*$': 'must start with a lower-case letter and may only contain lower-case letters, digits and _',
  '^[a-z][a-z0-9_]{0,40}$':
    'must have at most 41 characters, start with a lower-case letter and only contain lower-case letters, digits and _',
  '^[a-z][a-z0-9_]{0,63}$':
    'must have at most 64 characters, start with a lower-case letter and only contain lower-case letters, digits and _',
  '^[A-Za-z0-9_-]{4}$': 'must be exactly 4 characters: letters, digits, _ or -',
  [`^${apiKeyPrefix}[A-Za-z0-9_-]{86}$`]: `must be an API key: ${apiKeyPrefix} followed by exactly 86 characters (letters, digits, _ or -)`,
  '^[A-Za-z0-9_-]{43}$': 'must be exactly 43 characters: letters, digits, _ or -',
  '^(?:[a-z]+\\.[a-z_]+|mcp\\.[^.]+\\..+|ask_user)$': 'must be the name of a tool, such as fs.read or mcp.server.tool',
  '^(?:user|agent|(?:workspace|entity):.{1,200})$': 'must be user, agent, workspace:NAME or entity:NAME',
  '^[a-z_]+(?:,[a-z_]+)*$': 'must be entity types separated by commas, without spaces',
  '^[0-9A-Za-z.+-]+$': 'may only contain letters, digits and the characters . + -',
  '^[a-z0-9]+(?:-[a-z0-9]+)*$': 'may only contain lower-case letters, digits and single hyphens between them',
  '^[A-Za-z0-9][A-Za-z0-9_-]*$': 'must start with a letter or digit and may only contain letters, digits, _ and -',
  '^[A-Za-z_][A-Za-z0-9_.-]*$': 'must start with a letter or _ and may only contain letters, digits, _, . and -',
  '^urn:tandem:problem:[a-z0-9_]+$': 'must be a problem type, such as urn:tandem:problem:not_found',
  '^(?:\\.?[^./\\\\\\x00-\\x1f\\x7f][^/\\\\\\x00-\\x1f\\x7f]*|\\.\\.[^/\\\\\\x00-\\x1f\\x7f]+)(?:/(?:\\.?[^./\\\\\\x00-\\x1f\\x7f][^/\\\\\\x00-\\x1f\\x7f]*|\\.\\.[^/\\\\\\x00-\\x1f\\x7f]+))*$':
    'must be a relative path without . or .. as a part, without \\ and without control characters',
  '^[A-Za-z0-9][A-Za-z0-9_.+-]*$': 'must be the name of a program, such as python3',
  '^[a-z0-9]{1,10}$': 'must be at most 10 lower-case letters and digits',
  '^SIG[A-Z0-9+]{1,20}$': 'must be the name of a signal, such as SIGTERM',
  "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$": "may only contain letters, digits and the characters ! # $ % & ' * + . ^ _ ` | ~ -",
}
