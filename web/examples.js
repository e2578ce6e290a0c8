// The recordings that the playground offers. It opens with the first one.
"use strict";

// eslint-disable-next-line no-unused-vars
const recordings = [
  {
    name: "A stream whose consumer stopped in the middle of a block",
    input: `{"role": "assistant", "type": "code", "format": "python", "start": true}
{"role": "assistant", "type": "code", "format": "python", "content": "print("}
{"role": "assistant", "type": "code", "format": "python", "content": "'hello'"}
{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Let me try "}
{"role": "assistant", "type": "message", "content": "that again."}
{"role": "assistant", "type": "message", "end": true}
{"role": "assistant", "type": "code", "format": "py", "start": true}
{"role": "assistant", "type": "code", "format": "py", "content": "print('hello')"}
{"role": "assistant", "type": "code", "format": "py", "end": true}
{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "py", "content": "print('hello')"}}
{"role": "computer", "type": "console", "start": true}
{"role": "computer", "type": "console", "format": "active_line", "content": "1"}
{"role": "computer", "type": "console", "format": "output", "content": "hello\\n"}
{"role": "computer", "type": "console", "end": true}
`,
  },
  {
    name: "A stream in which code runs without a confirmation",
    input: `{"role": "assistant", "type": "code", "format": "shell", "start": true}
{"role": "assistant", "type": "code", "format": "shell", "content": "rm -r build"}
{"role": "assistant", "type": "code", "format": "shell", "end": true}
{"role": "computer", "type": "console", "start": true}
{"role": "computer", "type": "console", "format": "active_line", "content": 1}
{"role": "computer", "type": "console", "format": "output", "content": ""}
{"role": "computer", "type": "console", "format": "active_line", "content": null}
{"role": "computer", "type": "console", "end": true}
`,
  },
  {
    name: "A stored conversation with mistakes that fix mends",
    input: `[
  {"role": "user", "type": "message", "content": "What is 2 + 2?"},
  {"role": "assistant", "type": "mesage", "content": "I will compute it."},
  {"role": "assistant", "type": "code", "format": "Python", "content": "print(2 + 2)"},
  {"role": "computer", "type": "console", "format": "output", "content": "4\\n"},
  {"role": "assistant", "type": "message", "contents": "It is 4."}
]
`,
  },
  {
    name: "A WebSocket session that the server never completes",
    input: `{"direction": "sent", "data": "{\\"role\\": \\"user\\", \\"type\\": \\"message\\", \\"start\\": true}"}
{"direction": "sent", "data": "{\\"role\\": \\"user\\", \\"type\\": \\"message\\", \\"content\\": \\"Hi\\"}"}
{"direction": "sent", "data": "{\\"role\\": \\"user\\", \\"type\\": \\"message\\", \\"end\\": true}"}
{"direction": "received", "data": "{\\"role\\": \\"assistant\\", \\"type\\": \\"message\\", \\"start\\": true}"}
{"direction": "received", "data": "{\\"role\\": \\"assistant\\", \\"type\\": \\"message\\", \\"content\\": \\"Hello!\\"}"}
{"direction": "received", "data": "{\\"role\\": \\"assistant\\", \\"type\\": \\"message\\", \\"end\\": true}"}
`,
  },
  {
    name: "Semantic Workbench messages",
    input: `{"messages": [
  {"id": "5f1c9b0e-8a0b-4f5e-9d0a-1f2e3d4c5b6a", "sender": {"participant_role": "user", "participant_id": "u1"}, "timestamp": "2026-01-01T10:00:00Z", "content_type": "text/plain", "message_type": "chat", "content": "Hello", "filenames": [], "metadata": {}, "has_debug_data": false},
  {"id": "5f1c9b0e-8a0b-4f5e-9d0a-1f2e3d4c5b6a", "sender": {"participant_role": "robot", "participant_id": "a1"}, "timestamp": "2026-01-01T10:00:02Z", "content_type": "text/plain", "message_type": "chat", "content": "Hi!", "filenames": [], "metadata": {}, "has_debug_data": false}
]}
`,
  },
  {
    name: "A valid stream",
    input: `{"role": "assistant", "type": "code", "format": "python", "start": true}
{"role": "assistant", "type": "code", "format": "python", "content": "print(34 / 24)"}
{"role": "assistant", "type": "code", "format": "python", "end": true}
{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "python", "content": "print(34 / 24)"}}
{"role": "computer", "type": "console", "start": true}
{"role": "computer", "type": "console", "format": "active_line", "content": 1}
{"role": "computer", "type": "console", "format": "output", "content": "1.4166666666666667\\n"}
{"role": "computer", "type": "console", "format": "active_line", "content": null}
{"role": "computer", "type": "console", "end": true}
{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "34 / 24 is about 1.417."}
{"role": "assistant", "type": "message", "end": true}
`,
  },
];
