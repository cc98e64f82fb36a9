/* Saved states: everything that decides how a simulation goes on, kept by the environment and given back later.
 *
 * A saved state is one block of memory without addresses: what instance/saved.c writes, with what the component itself
 * has to remember in front. Serialising is copying it, with a checksum behind: bytes that were changed on the way could
 * hold any number, and a simulation that goes on from these might never end. A state belongs to a model and a kind (Model Exchange or
 * Co-Simulation), not to an instance: it may be given to another one, in another process. After it has been restored
 * the integrator begins anew, so that runs from one state are alike to the last bit.
 *
 * Reference: FMI 2.0, 2.1.8. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fmi2/component.h"

enum { OWN = 2 }; /* numbers in front: kind, status of the last step */
static const unsigned kMark = 0x464D5253u;

typedef struct Saved {
  unsigned mark; /* tells a saved state from something else, most of the time */
  size_t size;   /* of content, in bytes */
  double content[];
} Saved;

static Saved* new_saved(size_t size) {
  Saved* saved = malloc(sizeof *saved + size);
  if (!saved) return NULL;
  saved->mark = kMark;
  saved->size = size;
  return saved;
}

/* FNV-1a of 64 bits. */
static uint64_t checksum(const void* content, size_t size) {
  uint64_t sum = 0xcbf29ce484222325u;
  for (const unsigned char *p = content, *end = p + size; p < end; p++) sum = (sum ^ *p) * 0x100000001b3u;
  return sum;
}

/* Whether the content is one of this component's. */
static int fits(const Component* c, const Saved* saved) {
  if (saved->size < OWN * sizeof(double)) return 0;
  const double* own = saved->content;
  return own[0] == (double)c->type && own[1] >= 0.0 && own[1] <= (double)fmi2Pending &&
         fmr_saved_fits(c->instance, (const unsigned char*)(own + OWN), saved->size - OWN * sizeof(double));
}

fmi2Status FMI2_NAME(fmi2GetFMUstate)(fmi2Component component, fmi2FMUstate* state) {
  Component* c = fmu_begin(component, CALL_GET_FMU_STATE);
  if (!c) return fmi2Error;
  if (!state) return fmu_refuse(c, "an argument is NULL");
  const size_t size = OWN * sizeof(double) + fmr_saved_size(c->instance);
  Saved* saved = *state;
  if (saved && saved->mark != kMark) return fmu_refuse(c, "the argument is not a state that was saved");
  if (!saved || saved->size != size) {
    Saved* larger = new_saved(size);
    if (!larger) return fmu_refuse(c, "there is not enough memory");
    free(saved);
    *state = saved = larger;
  }
  saved->content[0] = (double)c->type;
  saved->content[1] = (double)c->last_step;
  fmr_save(c->instance, (unsigned char*)(saved->content + OWN));
  return fmi2OK;
}

fmi2Status FMI2_NAME(fmi2SetFMUstate)(fmi2Component component, fmi2FMUstate state) {
  Component* c = fmu_begin(component, CALL_SET_FMU_STATE);
  if (!c) return fmi2Error;
  const Saved* saved = state;
  if (!saved || saved->mark != kMark) return fmu_refuse(c, "the argument is not a state that was saved");
  if (!fits(c, saved)) return fmu_refuse(c, "the state is not one of this model and kind of FMU");
  const unsigned char* bytes = (const unsigned char*)(saved->content + OWN);
  if (fmr_load(c->instance, bytes, saved->size - OWN * sizeof(double))) {
    return fmu_refuse(c, "the state is not one of this model, or there is not enough memory");
  }
  c->last_step = (fmi2Status)saved->content[1];
  if (c->cosim) fmr_cosim_reset(c->cosim);
  return fmi2OK;
}

fmi2Status FMI2_NAME(fmi2FreeFMUstate)(fmi2Component component, fmi2FMUstate* state) {
  Component* c = fmu_begin(component, CALL_FREE_FMU_STATE);
  if (!c) return fmi2Error;
  if (!state || !*state) return fmi2OK;
  Saved* saved = *state;
  if (saved->mark != kMark) return fmu_refuse(c, "the argument is not a state that was saved");
  saved->mark = 0;
  free(saved);
  *state = NULL;
  return fmi2OK;
}

fmi2Status FMI2_NAME(fmi2SerializedFMUstateSize)(fmi2Component component, fmi2FMUstate state, size_t* size) {
  Component* c = fmu_begin(component, CALL_SERIALIZED_FMU_STATE_SIZE);
  if (!c) return fmi2Error;
  const Saved* saved = state;
  if (!size) return fmu_refuse(c, "an argument is NULL");
  if (!saved || saved->mark != kMark) return fmu_refuse(c, "the argument is not a state that was saved");
  *size = saved->size + sizeof(uint64_t);
  return fmi2OK;
}

fmi2Status FMI2_NAME(fmi2SerializeFMUstate)(fmi2Component component, fmi2FMUstate state, fmi2Byte* bytes, size_t size) {
  Component* c = fmu_begin(component, CALL_SERIALIZE_FMU_STATE);
  if (!c) return fmi2Error;
  const Saved* saved = state;
  if (!bytes) return fmu_refuse(c, "an argument is NULL");
  if (!saved || saved->mark != kMark) return fmu_refuse(c, "the argument is not a state that was saved");
  const uint64_t sum = checksum(saved->content, saved->size);
  const size_t all = saved->size + sizeof sum;
  if (size < all) return fmu_refuse(c, "there is room for %zu bytes, but there are %zu", size, all);
  memcpy(bytes, saved->content, saved->size);
  memcpy(bytes + saved->size, &sum, sizeof sum);
  return fmi2OK;
}

fmi2Status FMI2_NAME(fmi2DeSerializeFMUstate)(fmi2Component component, const fmi2Byte* bytes, size_t size,
                                              fmi2FMUstate* state) {
  Component* c = fmu_begin(component, CALL_DESERIALIZE_FMU_STATE);
  if (!c) return fmi2Error;
  if (!bytes || !state) return fmu_refuse(c, "an argument is NULL");
  uint64_t sum = 0;
  if (size < sizeof sum || size > (size_t)-1 - sizeof(Saved)) {
    return fmu_refuse(c, "the bytes are not a state of this model and kind of FMU");
  }
  Saved* saved = new_saved(size - sizeof sum);
  if (!saved) return fmu_refuse(c, "there is not enough memory");
  memcpy(saved->content, bytes, saved->size);
  memcpy(&sum, bytes + saved->size, sizeof sum);
  if (sum != checksum(saved->content, saved->size) || !fits(c, saved)) {
    free(saved);
    return fmu_refuse(c, "the bytes are not a state of this model and kind of FMU");
  }
  *state = saved;
  return fmi2OK;
}
