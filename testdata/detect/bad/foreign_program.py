def answer(client, text):
    response = client.chat(
        messages=[{
            "role": "user",
            "content": text,
        }],
    )
    for chunk in response:
        yield chunk["content"]
