#include <stdio.h>
#include "uv.h"

#define MAX_SIZE 10
#define GUARD
#define SQUARE(x) ((x) * (x))

typedef struct uv_loop_s {
  int active;
  void (*close_cb)(int);
} uv_loop_t;

struct point;
struct pair { int a; };
enum kind { KIND_A, KIND_B };
typedef unsigned long word_t;

static const int limit = 3;
int declared(int x);

/* Starts the loop. */
static int* uv__run(uv_loop_t* loop, int mode) {
  int local = 0;
  return 0;
}
