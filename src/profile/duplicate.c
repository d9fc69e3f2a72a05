// SPDX-License-Identifier: MIT
/*
 * One walk over the text up to the key. jansson has accepted all of it, so strings, brackets and
 * commas are all that matters.
 */
#include "duplicate.h"

#include <string.h>

#include "limits.h"

/* Nothing that a profile may hold nests deeper. */
#define DEPTH_MAX 16

/* An open object or array, and the place of its current member. */
struct level {
	struct where member;
	char key[PROFILE_NAME_MAX + 1];
	bool array, wants_key;
};

struct walk {
	struct where root;
	struct level level[DEPTH_MAX];
	size_t depth; /* may be above DEPTH_MAX; deeper levels are counted only */
};

static struct level *innermost(struct walk *walk)
{
	return walk->depth > 0 && walk->depth <= DEPTH_MAX ? &walk->level[walk->depth - 1] : NULL;
}

static void enter(struct walk *walk, bool array)
{
	const struct level *up = innermost(walk);
	struct level *level;

	walk->depth++;
	level = innermost(walk);
	if (!level)
		return;
	level->member = (struct where){up ? &up->member : &walk->root, NULL, 0};
	level->array = array;
	level->wants_key = !array;
}

static void next_member(struct level *level)
{
	if (!level)
		return;
	level->member.index++;
	level->wants_key = !level->array;
}

static void take_string(struct level *level, const char *text, size_t length)
{
	if (!level || !level->wants_key)
		return;
	if (length > PROFILE_NAME_MAX)
		length = PROFILE_NAME_MAX;
	memcpy(level->key, text, length);
	level->key[length] = '\0';
	level->member.key = level->key;
	level->wants_key = false;
}

/* The length of the string whose first byte is @text, without the quote at its end. */
static size_t string_length(const char *text, size_t room)
{
	size_t i = 0;

	while (i < room && text[i] != '"')
		i += text[i] == '\\' ? 2 : 1;
	return i < room ? i : room;
}

int duplicate_fail(const struct reader *r, const char *text, size_t end)
{
	struct walk walk = {.depth = 0};
	const struct level *last;

	for (size_t i = 0; i < end; i++) {
		size_t length;

		switch (text[i]) {
		case '{': enter(&walk, false); break;
		case '[': enter(&walk, true); break;
		case '}':
		case ']': walk.depth--; break;
		case ',': next_member(innermost(&walk)); break;
		case '"':
			length = string_length(text + i + 1, end - i - 1);
			take_string(innermost(&walk), text + i + 1, length);
			i += length + 1;
			break;
		default: break;
		}
	}
	last = innermost(&walk);
	return reader_fail(r, last ? &last->member : &walk.root, "the key stands twice");
}
